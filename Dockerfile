# One image for the web processes and for every `manage.py` command; docs/deploy.md walks through it.
FROM python:3.13-slim AS packages
WORKDIR /app
COPY pyproject.toml constraints.txt ./
RUN pip install --no-cache-dir --disable-pip-version-check -c constraints.txt uv \
 && python -m venv /venv \
 && uv pip install --no-cache --compile-bytecode --python /venv/bin/python -r pyproject.toml -c constraints.txt

# What browsers load is made in a stage of its own: a server needs no font tools.
FROM packages AS assets
RUN uv pip install --no-cache --python /venv/bin/python -r pyproject.toml --extra build -c constraints.txt
COPY . .
RUN /venv/bin/python -m rosters.ops.assets

FROM python:3.13-slim
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    PRODUCTION=1 BIND=0.0.0.0:8000 STATIC_ROOT=/static DATA_DIR=/data
RUN useradd --system --uid 10001 --no-create-home armybuilder \
 && install -d -o armybuilder -m 700 /data
WORKDIR /app
COPY --from=packages /venv /venv
COPY . .
COPY --from=assets /app/build/assets build/assets
# Everybody may read the code, whatever the builder's umask was. The key serves this one command and is kept nowhere.
RUN chmod -R a+rX . \
 && SECRET_KEY=$(python -c 'import secrets; print(secrets.token_urlsafe(50))') python manage.py collectstatic --noinput \
 && python -m compileall -q armybuilder rosters
USER armybuilder
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
CMD ["gunicorn"]
